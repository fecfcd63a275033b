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

to = ENV.fetch("TO")
call("POST", "/v1/send", {
  to: to,
  from: "Demo <hello@mail.demo.example>",
  subject: "Receipt for order 1001",
  body: "<p>Thank you for your order.</p>",
  tags: ["receipt"],
  metadata: { orderId: 1001 }
})

query = URI.encode_www_form(recipient: to, tag: "receipt", metadata: "orderId:1001")
call("GET", "/emails?#{query}")["data"].each { |email| puts email.values_at("id", "tags", "metadata").join(" ") }
