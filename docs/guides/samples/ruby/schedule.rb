require "json"
require "net/http"
require "time"

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

reply = call("POST", "/v1/send", {
  to: ENV.fetch("TO"),
  from: "Demo <hello@mail.demo.example>",
  subject: "Your appointment is tomorrow",
  body: "<p>See you at 10:00.</p>",
  scheduledAt: (Time.now + 3600).iso8601
})
id = reply["data"]["emails"][0]["email"]

moved = call("PATCH", "/emails/#{id}", { scheduledAt: (Time.now + 7200).iso8601 })
puts "#{moved["status"]} #{moved["scheduledAt"]}"

cancelled = call("POST", "/emails/#{id}/cancel")
puts "#{cancelled["status"]} #{cancelled["reason"]}"
