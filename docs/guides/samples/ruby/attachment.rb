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

# For a file on the disk: File.binread("orders.csv")
content = "order,total\n1001,12.00\n"

reply = call("POST", "/v1/send", {
  to: ENV.fetch("TO"),
  from: "Demo <hello@mail.demo.example>",
  subject: "Your orders of this month",
  body: "<p>The list is attached.</p>",
  attachments: [{ filename: "orders.csv", content: [content].pack("m0") }]
})
puts reply["data"]["emails"][0]["email"]
