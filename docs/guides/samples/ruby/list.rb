require "json"
require "net/http"

def call(method, path, body = nil)
  uri = URI(ENV.fetch("POSTRIDER_URL") + path)
  request = Net::HTTPGenericRequest.new(method, !body.nil?, true, uri)
  request["Authorization"] = "Bearer #{ENV.fetch("POSTRIDER_API_KEY")}"
  request["Content-Type"] = "application/json"
  request.body = JSON.generate(body) if body
  response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }
  raise "#{response.code} #{response.body}" unless response.is_a?(Net::HTTPSuccess)

  JSON.parse(response.body) if response.body
end

# The records of a cursor list, page after page.
def pages(path, **query)
  loop do
    page = call("GET", "#{path}?#{URI.encode_www_form(query)}")
    page["data"].each { |record| yield record }
    return if page["cursor"].nil?

    query[:cursor] = page["cursor"]
  end
end

pages("/contacts", subscribed: false, limit: 100) { |contact| puts contact["email"] }
